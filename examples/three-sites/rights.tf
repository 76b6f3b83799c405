# What the operators see, and what they may do over REST.
resource "enms_group" "operators" {
  name          = "Operators"
  description   = "Those who are on call"
  menu          = ["Inventory", "Automation"]
  pages         = ["Devices", "Pools", "Networks", "Services", "Results"]
  get_requests  = ["/rest/instance", "/rest/query", "/rest/result"]
  post_requests = ["/rest/search", "/rest/run_service"]
}

resource "enms_user" "operator" {
  name                = "ann"
  email               = "ann@example.com"
  password_wo         = var.operator_password
  password_wo_version = var.secrets_version
  groups              = [enms_group.operators.name]
}

# With what services log in to the routers.
resource "enms_credential" "routers" {
  name                = "Edge routers"
  username            = "enms"
  password_wo         = var.router_password
  password_wo_version = var.secrets_version
  device_pools        = [enms_pool.routers.name]
  groups              = [enms_group.operators.name]
}
