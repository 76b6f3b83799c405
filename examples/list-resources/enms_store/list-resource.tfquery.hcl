# The stores in a store.
list "enms_store" "customers" {
  provider = enms

  config {
    store = [">Customers"]
  }
}
