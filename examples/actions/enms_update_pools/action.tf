resource "enms_pool" "cisco" {
  name            = "Cisco"
  device_criteria = { vendor = { value = "Cisco", match = "equality" } }
}

# The pool contains the device as soon as Terraform has created or changed it.
resource "enms_device" "dallas" {
  name       = "DALLAS"
  ip_address = "10.0.0.1"
  vendor     = "Cisco"
  depends_on = [enms_pool.cisco]

  lifecycle {
    action_trigger {
      events  = [after_create, after_update]
      actions = [action.enms_update_pools.all]
    }
  }
}

action "enms_update_pools" "all" {}
