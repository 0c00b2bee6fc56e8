"""Evidence bundles: BagIt bags that are written once and can be verified for ever."""

from ocrprep.bundles.bundle import Bundle, bundle_payload, open_bundle, source_hashes
from ocrprep.bundles.names import safe_name
from ocrprep.bundles.places import Place, find_place, move_aside, review_folder
from ocrprep.bundles.store import check_bag_info, write_bag
from ocrprep.bundles.verify import Verification, require_verified, verify

__all__ = [
    "Bundle",
    "Place",
    "Verification",
    "bundle_payload",
    "check_bag_info",
    "find_place",
    "move_aside",
    "open_bundle",
    "require_verified",
    "review_folder",
    "safe_name",
    "source_hashes",
    "verify",
    "write_bag",
]
