// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"fmt"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/reservation"
)

// sizedTopic is a topic that may come about, with what it would reserve.
type sizedTopic struct {
	topic  reservation.Topic
	amount reservation.Amount
}

// largest is the one of several combinations that reserves most: what a call books,
// because Terraform may apply the changes of two resources in any order.
func (c *cluster) largest(name string, all []combination) (sizedTopic, error) {
	var largest sizedTopic
	for i, each := range all {
		topic := c.resolve(each.planned(name))
		computed, err := reservation.Of(c.platform, topic)
		if err != nil {
			return sizedTopic{}, fmt.Errorf("computing the reservation: %w", err)
		}
		amount := computed.Amount()
		if i == 0 || amount != largest.amount && reservation.Max(amount, largest.amount) == amount {
			largest = sizedTopic{topic, amount}
		}
	}
	return largest, nil
}
