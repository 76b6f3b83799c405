terraform {
  required_providers {
    enms = { source = "terraform-provider-enms/enms" }
  }
}

output "runs" {
  value = provider::enms::next_runs("30 2 * * 0,6", "2027-03-26T00:00:00Z", 3, "Europe/Berlin")
}

# On the 28th the clocks are set from 02:00 to 03:00.
#
# runs = [
#   "2027-03-27T02:30:00+01:00",
#   "2027-03-28T03:30:00+02:00",
#   "2027-04-03T02:30:00+02:00",
# ]
