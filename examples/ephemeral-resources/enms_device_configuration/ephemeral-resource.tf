# The running configuration of a router, which may contain passwords.
ephemeral "enms_device_configuration" "r1" {
  device = "DALLAS-R1"

  lifecycle {
    postcondition {
      condition     = strcontains(self.text, "ntp server 192.0.2.1")
      error_message = "DALLAS-R1 lacks the time server."
    }
  }
}
