# Shared by .ci/run and .ci/test; sourced, not run.

# The Terraform to fetch where none is on PATH: the one that the tests were written with.
TERRAFORM_VERSION=${TERRAFORM_VERSION:-1.11.4}

# say prints one line of our own, apart from the tools' output.
say() { printf '== %s\n' "$*"; }

# die prints why the run ends, and ends it.
die() { printf '== FAIL: %s\n' "$*" >&2; exit 1; }

have() { command -v "$1" >/dev/null 2>&1; }

# have_jdk is true when javac is there and is of Java 17 or later.
have_jdk() {
  have java && have javac || return 1
  local version
  version=$(javac -version 2>&1 | sed -n 's/^javac \([0-9][0-9]*\).*/\1/p')
  [ "${version:-0}" -ge 17 ]
}

# tool runs a tool of the tools module.
tool() { go tool -modfile=internal/tools/go.mod "$@"; }

# ensure_terraform puts a terraform on PATH, in the folder $1 if it has to be fetched.
ensure_terraform() {
  if have terraform; then return; fi
  say "terraform is not on PATH: fetching $TERRAFORM_VERSION"
  mkdir -p "$1"
  tool hc-install install -version "$TERRAFORM_VERSION" -path "$1" terraform ||
    die "no terraform on PATH, and hc-install could not fetch one"
  export PATH=$1:$PATH
}

# neutral_env takes the developer's own Kafka and Terraform settings out of the environment, so
# that the tests see the same world everywhere. $1 is a folder for the empty CLI configuration.
neutral_env() {
  local name
  for name in $(compgen -e); do
    case $name in
      KAFKASTORAGE_CAMPAIGN* | KAFKASTORAGE_TEST_*) ;;
      KAFKA_* | KAFKASTORAGE_* | TF_CLI_ARGS* | TF_VAR_* | TF_LOG* | TF_ACC | TF_WORKSPACE | TF_DATA_DIR | TF_REATTACH_PROVIDERS)
        unset "$name" ;;
    esac
  done
  : >"$1/empty.tfrc"
  export TF_CLI_CONFIG_FILE=$1/empty.tfrc CHECKPOINT_DISABLE=1
}
