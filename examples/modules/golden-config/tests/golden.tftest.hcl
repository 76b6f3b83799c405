# Devices with texts, and the report about them. The provider's settings come from the environment: the tests
# need an eNMS, such as the simulator.

variables {
  today = "2026-12-01"
  devices = {
    gc-R1 = { loopback = "10.0.0.1" }
    gc-R2 = { loopback = "10.0.0.2" }
    gc-R3 = { loopback = "10.0.0.3" }
    gc-R4 = {}
  }
  features = {
    ntp      = { template = "tests/templates/ntp.tftpl", lines = ["^ntp "], ignore = ["^ntp clock-period"] }
    loopback = { template = "tests/templates/loopback.tftpl", lines = ["^interface Loopback0"], devices = ["gc-R1", "gc-R2", "gc-R3"] }
  }
  exceptions = [
    { device = "gc-R3", feature = "ntp", owner = "jane", until = "2026-12-01", reason = "site | without GPS" },
    { device = "gc-R1", feature = "ntp", owner = "joe", until = "2026-11-30" },
  ]
}

run "elsewhere" {
  module {
    source = "./tests/elsewhere"
  }
  variables {
    texts = {
      gc-R1 = "! by hush\nhostname gc-R1\nenable secret 9 hush\nntp server 192.0.2.2\nntp clock-period 17\nntp server 192.0.2.1\nntp authentication-key 1 md5 hush\ninterface Loopback0\n ip address 10.0.0.1 255.255.255.255\n description gc-R1\n"
      gc-R2 = "hostname gc-R2\nntp server 192.0.2.1\nntp server 192.0.2.2\ninterface Loopback0\n description gc-R2\n ip address 10.0.0.9 255.255.255.255\n no ip redirects\n standby 1 authentication md5 key-string hush\ninterface Loopback1\n description hush\n"
      gc-R3 = "ntp server 198.51.100.1\nntp server 192.0.2.2\ninterface Loopback0\n description gc-R3\n ip address 10.0.0.3 255.255.255.255\n"
      gc-R4 = null
    }
    failed = ["gc-R3"]
  }
}

run "report" {
  expect_failures = [check.golden_configuration, check.backups]

  assert {
    condition = jsonencode({ for device, row in output.report : device => { for feature, cell in row.features : feature => cell.status } }) == jsonencode({
      gc-R1 = { loopback = "compliant", ntp = "compliant" }
      gc-R2 = { loopback = "differs", ntp = "compliant" }
      gc-R3 = { loopback = "compliant", ntp = "excepted" }
      gc-R4 = { ntp = "unknown" }
    })
    error_message = "The report is ${jsonencode(output.report)}."
  }

  assert {
    condition     = join("\n", output.report["gc-R2"].features.loopback.lines) == "  interface Loopback0\n-   ip address 10.0.0.9 255.255.255.255\n-   no ip redirects\n+   ip address 10.0.0.2 255.255.255.255"
    error_message = "These lines differ: ${jsonencode(output.report["gc-R2"].features.loopback.lines)}."
  }

  assert {
    condition     = jsonencode(output.remediation) == jsonencode({ gc-R2 = "interface Loopback0\n  no ip address 10.0.0.9 255.255.255.255\n  ip redirects\n  ip address 10.0.0.2 255.255.255.255" })
    error_message = "The commands are ${jsonencode(output.remediation)}."
  }

  assert {
    condition     = output.markdown == file("tests/report.md")
    error_message = "The report is\n${output.markdown}"
  }

  assert {
    condition     = jsonencode(jsondecode(output.json).counts) == jsonencode({ compliant = 4, differs = 1, excepted = 1, expired = 0, unknown = 1 })
    error_message = "The JSON is ${output.json}."
  }

  # What may contain secrets, or belongs to no feature, is not read.
  assert {
    condition     = !strcontains(jsonencode(nonsensitive([for latest in data.enms_device_configuration.latest : latest.text])), "hush")
    error_message = "A text has more than the lines of features."
  }
}

run "the_day_after" {
  variables {
    today = "2026-12-02"
  }
  expect_failures = [check.golden_configuration, check.backups]

  assert {
    condition     = output.report["gc-R3"].features.ntp.status == "expired" && join(" ", keys(output.remediation)) == "gc-R2 gc-R3"
    error_message = "An exception does not end: ${jsonencode(output.report["gc-R3"])}."
  }
  assert {
    condition     = output.remediation["gc-R3"] == "no ntp server 198.51.100.1\nntp server 192.0.2.1"
    error_message = "The commands are ${output.remediation["gc-R3"]}."
  }
}

# Lines of templates that may contain secrets are not compared, and the report says so.
run "secrets" {
  variables {
    devices    = { gc-R1 = {} }
    features   = { ntp = { template = "tests/templates/ntp_key.tftpl", lines = ["^ntp "], ignore = ["^ntp (clock-period|server 192.0.2.2)"] } }
    exceptions = []
  }

  assert {
    condition     = output.report["gc-R1"].features.ntp.skipped == 1 && strcontains(output.markdown, "\n| gc-R1 | compliant, 1 not compared | ok |\n")
    error_message = "The report is\n${output.markdown}"
  }
}

# The usual lines with secrets match the default, and others do not.
run "default_of_secrets" {
  command = plan

  assert {
    condition = "interface Gi1\nshape average 1000\nset community 65000:1\nip community-list 1\nservice-policy output shared\n" == provider::enms::config_lines(
      join("\n", [
        "enable secret 9 x", "username a password 0 x", "tacacs-server key 7 x", "neighbor 10.0.0.1 password x", "ip ospf message-digest-key 1 md5 x", "key-string x",
        "snmp-server community x RO", "snmp-server host 10.0.0.1 version 2c x", "snmp-server user a g v3 auth sha x", "crypto isakmp key x address 10.0.0.1", "pre-shared-key x",
        "set snmp community x", "snmp {", "    community x {", "    }", "}", "encrypted-password \"$6$abc$x\";", "auth sha-256 x", "wpa-psk ascii 0 x", "opaque $1$abc$x",
        "interface Gi1", " authentication key-chain x", "shape average 1000", "set community 65000:1", "ip community-list 1", "service-policy output shared",
      ]), [""], concat(var.secrets, ["^}$"]),
    )
    error_message = "The default of secrets leaves out other lines than it should."
  }
  expect_failures = [check.golden_configuration, check.backups]
}
