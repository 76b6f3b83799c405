# A service in eNMS generates a password for a device; the result is not in the state.
ephemeral "enms_run_result" "password" {
  name = "New password for DALLAS-R1"

  lifecycle {
    postcondition {
      condition     = self.success
      error_message = "No password was made."
    }
  }
}

resource "enms_credential" "dallas_r1" {
  name                = "DALLAS-R1"
  username            = "terraform"
  password_wo         = jsondecode(ephemeral.enms_run_result.password.result).result
  password_wo_version = 1
}
