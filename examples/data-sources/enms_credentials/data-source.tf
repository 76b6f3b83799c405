# The credentials that a group may use, with their priorities.
data "enms_credentials" "operators" {
  groups = ["operators"]
}

output "credentials_of_operators" {
  value = { for c in data.enms_credentials.operators.instances : c.name => c.priority }
}
