"use strict";

/** Stands for `import()` in the bundle: compiled code that was kept does not know any more how to import. */
module.exports = (name) => import(name);
