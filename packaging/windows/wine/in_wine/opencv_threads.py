"""Keep OpenCV to one thread, as a plugin of pytest.

Its build for Windows uses Microsoft's Concurrency Runtime, in which Wine throws an exception without a type.
"""

import cv2

cv2.setNumThreads(1)
