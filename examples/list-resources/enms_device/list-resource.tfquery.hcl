# The devices at a place that are in one of two pools.
list "enms_device" "dallas" {
  provider = enms
  limit    = 500

  config {
    filter = { location = "Dallas" }
    pools  = ["Core", "Edge"]
  }
}

# Routers by a pattern of their names.
list "enms_device" "routers" {
  provider = enms

  config {
    type   = "router"
    filter = { name = "^rt-[0-9]+$" }
    match  = "regex"
  }
}
