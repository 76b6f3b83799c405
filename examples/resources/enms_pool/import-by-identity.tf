import {
  to = enms_pool.core
  identity = {
    name = "Core"
  }
}
