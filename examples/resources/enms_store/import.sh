terraform import enms_store.customers '>Customers'
