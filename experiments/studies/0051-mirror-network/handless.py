"""Averages the weights that read the Chamber's plane with their mirror images: python3 handless.py FOLDER (changed in place).

FOLDER is a checkpoint. Needs numpy.
"""

import hashlib
import json
import pathlib
import struct
import sys

import numpy as np

CHAMBER = 12  # the plane

folder = pathlib.Path(sys.argv[1])
file = folder / "model.safetensors"
data = bytearray(file.read_bytes())
[size] = struct.unpack("<Q", data[:8])
facts = json.loads(data[8 : 8 + size])["stem.weight"]
start, end = (8 + size + offset for offset in facts["data_offsets"])
weight = np.frombuffer(data[start:end], np.float32).reshape(facts["shape"]).copy()
own = weight[:, CHAMBER]
image = own.copy()
for output in range(own.shape[0]):
    for row in range(3):
        for column in range(3):
            if 0 <= 3 - row - column < 3:
                image[output, row, column] = own[output ^ 1, row, 3 - row - column]
print("largest difference from the image", abs(own - image).max(), "largest weight", abs(own).max())
weight[:, CHAMBER] = (own + image) / 2
data[start:end] = weight.tobytes()
file.write_bytes(data)
manifest = folder / "manifest.json"
text = json.loads(manifest.read_text())
text["files"]["model.safetensors"]["sha256"] = hashlib.sha256(data).hexdigest()
manifest.write_text(json.dumps(text, indent=2))
