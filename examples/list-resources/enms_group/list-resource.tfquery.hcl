# The groups that a user is in.
list "enms_group" "of_ann" {
  provider = enms

  config {
    users = ["ann"]
  }
}
