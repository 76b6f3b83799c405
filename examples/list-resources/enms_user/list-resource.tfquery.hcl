# The members of a group.
list "enms_user" "operators" {
  provider = enms

  config {
    groups = ["operators"]
  }
}
