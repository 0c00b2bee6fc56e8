"""Recognition of one page: what the source says in text, what the engine reads, and which of them stands.

`page` tells the story; `basis` decides where the words come from, with `legibility` (is this language), `agreement` (do
two readings say the same) and `merging` (two readings become one); `pixels` reads, with `upright` and `specks`.
"""

from ocrprep.recognition.page import ReadPage, read_page, unread_page

__all__ = ["ReadPage", "read_page", "unread_page"]
