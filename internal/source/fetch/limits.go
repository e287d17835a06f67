package fetch

// limits bound what is taken from an archive or a repository:
//
//	entries   500,000   the Linux kernel has 90,000
//	files      50,000   kept; MDN has 14,000
//	packed      2 GiB   received; 512 MiB of a .zip, whose list is read as a whole
//	stream      4 GiB   unpacked, of a .tar.gz; the Linux kernel has 1.6
//	kept        1 GiB   MDN has 60 MB
//	file       10 MiB   the limit of what is indexed
//	ratio         200   unpacked to packed, past the first 16 MiB; text has 3 to 6, gzip can reach 1,029
//	name    1,024 bytes, 64 levels, 255 bytes a level
type limits struct {
	entries, files     int
	packed, zip        int64
	stream, kept, file int64
	ratio, free        int64
	name, depth, level int
}

func (l limits) orDefault() limits {
	if l != (limits{}) {
		return l
	}
	return limits{
		entries: 500_000, files: 50_000, packed: 2 << 30, zip: 512 << 20, stream: 4 << 30, kept: 1 << 30, file: 10 << 20,
		ratio: 200, free: 16 << 20, name: 1024, depth: 64, level: 255,
	}
}
