import {
  to = enms_store.customers
  id = ">Customers"
}
