"""Engines: a raster becomes lines and words with boxes and confidences.

The story of a run: `model_folder` gathers the run's models in one folder, `set_up` chooses an engine and proves that it
loads exactly these models, and every worker calls `open_engine` with the `EngineSetup` that it was sent.
"""

from __future__ import annotations

from ocrprep.engines import pytesseract_engine, tesserocr_engine
from ocrprep.engines.models import ModelFolder, model_folder
from ocrprep.engines.pytesseract_engine import PytesseractEngine
from ocrprep.engines.setup import PAGE_TIMEOUT, Engine, EngineSetup, thread_limit
from ocrprep.engines.survey import EngineState, ModelFile, Survey, survey
from ocrprep.engines.tesserocr_engine import TesserocrEngine
from ocrprep.errors import DependencyError
from ocrprep.options import RecognitionOptions

__all__ = [
    "Engine",
    "EngineSetup",
    "EngineState",
    "ModelFile",
    "ModelFolder",
    "Survey",
    "model_folder",
    "open_engine",
    "set_up",
    "survey",
    "thread_limit",
]


_SET_UP = {"tesserocr": tesserocr_engine.set_up, "pytesseract": pytesseract_engine.set_up}
"""In the order in which `auto` tries them."""


def set_up(options: RecognitionOptions, folder: ModelFolder, *, timeout: float = PAGE_TIMEOUT) -> EngineSetup:
    """Choose the engine of a run and prove that it loads exactly the models of the folder.

    `auto` takes tesserocr where it works, else the system's program. `timeout` is in seconds a page; only the
    program obeys it, an engine in the process has to be stopped from outside. Raises DependencyError.
    """
    names = tuple(_SET_UP) if options.engine == "auto" else (options.engine,)
    reasons = []
    for name in names:
        try:
            return _SET_UP[name](folder, options.page_segmentation, timeout)
        except DependencyError as error:
            reasons.append(str(error))
    raise DependencyError("; ".join(reasons))


def open_engine(setup: EngineSetup) -> Engine:
    """Open the engine that `set_up` chose; raises DependencyError when it no longer loads its models."""
    return TesserocrEngine(setup) if setup.name == "tesserocr" else PytesseractEngine(setup)
