# Which server is this, and as whom?
data "enms_server" "this" {}

output "server" {
  value = "${data.enms_server.this.address}: eNMS ${coalesce(data.enms_server.this.line, "?")} as ${data.enms_server.this.user}"
}

# A device for eNMS 4, by a user from whom eNMS hides nothing.
resource "enms_device" "dallas" {
  name = "DALLAS"

  lifecycle {
    precondition {
      condition     = data.enms_server.this.line == 4 # false if it is null
      error_message = "The configuration is written for eNMS 4."
    }
    precondition {
      condition     = coalesce(data.enms_server.this.administrator, false)
      error_message = "Plan as an administrator: eNMS hides devices from ${data.enms_server.this.user}."
    }
  }
}
