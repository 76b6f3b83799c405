terraform import enms_pool.core Core
