# The services of a workflow.
data "enms_services" "upgrade" {
  workflows = ["Upgrade"]
}

output "upgrade_types" {
  value = { for s in data.enms_services.upgrade.instances : s.name => s.type }
}

# What is switched off.
data "enms_services" "disabled" {
  filter = { disabled = true }
}
