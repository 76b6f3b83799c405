import {
  to = enms_pool.core
  id = "Core"
}
