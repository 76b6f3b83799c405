// Acceptance tests of enms_task: schedules, and the scheduler's word.

package kinds_test

import ()

// taskWith returns a task with further attributes, and the service that it runs.
func taskWith(attributes string) string {
	return `
resource "enms_task" "t" {
  name    = "NAME-t"
  service = enms_service.s.name
  ` + attributes + `
}
resource "enms_service" "s" {
  name       = "NAME-s"
  type       = "python_snippet_service"
  properties = { source_code = "results['success'] = True" }
}
resource "enms_device" "d" {
  count = 2
  name  = "NAME-${count.index}"
}`
}
