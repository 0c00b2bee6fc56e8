"""Recognition of one page: what the source says in text, what the engine reads, and which of them is the page's reading."""

from ocrprep.recognition.page import ReadPage, read_page, unread_page

__all__ = ["ReadPage", "read_page", "unread_page"]
