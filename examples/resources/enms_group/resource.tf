# A group whose members see the inventory, and can read it with the REST interface.
resource "enms_group" "operators" {
  name         = "operators"
  description  = "Those who are on call"
  menu         = ["Inventory", "Automation"]
  pages        = ["Devices", "Links", "Pools", "Services", "Results"]
  get_requests = ["/rest/instance", "/rest/query", "/rest/result"]

  # The rights that the group gets to what a member creates.
  device_access = ["rbac_read", "rbac_edit"]
}

# Rights to an instance are attributes of the instance.
resource "enms_device" "dallas" {
  name      = "DALLAS"
  rbac_read = [enms_group.operators.name]
}
