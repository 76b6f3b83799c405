# The layouts of all networks in which something has a position.
list "enms_network_layout" "all" {
  provider         = enms
  include_resource = true
}
