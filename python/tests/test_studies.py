"""The figures of published studies are what their data say."""

import subprocess
import sys

import pytest
from conftest import REPOSITORY

SCRIPTS = ["python/notebooks/main_effects.py", "experiments/studies/0062-verdicts-again/again.py"]


@pytest.mark.parametrize("script", SCRIPTS)
def test_figures_are_what_the_data_say(script):
    subprocess.run([sys.executable, REPOSITORY / script, "--check"], check=True)
