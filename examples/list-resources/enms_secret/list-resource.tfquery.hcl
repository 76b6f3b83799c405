# The secrets in a store.
list "enms_secret" "all" {
  provider = enms

  config {
    store = [">Secrets"]
  }
}
