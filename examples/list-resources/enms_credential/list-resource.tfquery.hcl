# The credentials that a group may use.
list "enms_credential" "operators" {
  provider = enms

  config {
    groups = ["operators"]
  }
}
