import {
  to = enms_store.customers
  identity = {
    name = ">Customers"
  }
}
