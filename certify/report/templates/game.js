"use strict";
dualfit.game = {
  // Both sides at the chosen moment.
  draw(m) {
    const k = Number(m.choice.value), count = m.names.length;
    for (const side of ["algorithm", "offline"]) {
      const all = m[side + "_all"].data, out = {x: m.names.map((_, i) => i), machine: m.names};
      for (const name of ["whole", "old", "load", "fresh", "named"]) out[name] = Array.from(all[name].slice(k * count, (k + 1) * count));
      m[side].data = out;
    }
  },
};
