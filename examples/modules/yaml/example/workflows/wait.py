import time

time.sleep(10)
results = {"success": True}
