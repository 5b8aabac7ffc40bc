"""What writes pictures, page modules and screenshots of this repository; no part of the product."""
