terraform import kafkastorage_topic.audit audit.events
