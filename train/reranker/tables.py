"""Tables as .npz files, written without NumPy: questions are prepared where there is none, and read where there is."""
import struct
import zipfile

KINDS = {"b": "|i1", "B": "|u1", "h": "<i2", "H": "<u2", "i": "<i4", "f": "<f4"}  # of array.array, and NumPy's names


def save(path, tables):
    """Writes {name: (array.array, columns)}; columns 0 makes a plain row of numbers. Little-endian machines only."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as z:
        for name, (values, columns) in tables.items():
            rows = len(values) // (columns or 1)
            shape = f"({rows}, {columns})" if columns else f"({rows},)"
            head = f"{{'descr': '{KINDS[values.typecode]}', 'fortran_order': False, 'shape': {shape}, }}"
            head += " " * (-(len(head) + 11) % 64) + "\n"
            with z.open(name + ".npy", "w", force_zip64=True) as f:
                f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode())
                f.write(values.tobytes())
