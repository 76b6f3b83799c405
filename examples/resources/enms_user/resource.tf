variable "ann_password" {
  type      = string
  ephemeral = true
}

resource "enms_group" "operators" {
  name          = "operators"
  menu          = ["Automation"]
  pages         = ["Services", "Results"]
  get_requests  = ["/rest/instance", "/rest/query"]
  post_requests = ["/rest/run_service"]
}

resource "enms_user" "ann" {
  name                = "ann"
  email               = "ann@example.com"
  password_wo         = var.ann_password
  password_wo_version = 1
  groups              = [enms_group.operators.name]
}
