# The links that begin at one of two devices.
data "enms_links" "from_core" {
  source = ["DALLAS", "HOUSTON"]
}

output "neighbours" {
  value = distinct(data.enms_links.from_core.instances[*].destination)
}
