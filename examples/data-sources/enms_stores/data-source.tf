# The stores in a store.
data "enms_stores" "customers" {
  store = [">Customers"]
}

output "customers" {
  value = [for s in data.enms_stores.customers.instances : s.scoped_name]
}
