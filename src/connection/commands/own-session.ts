/**
 * Ctrl-Z stops the whole process group. We would wait without end for a child of `spawnSync` that is stopped, and could not stop
 * ourselves meanwhile; the same holds for a child of `spawn` until it has become its program. In a session of its own it is not
 * stopped. Node's types know this option for `spawn` only; it means the same for both.
 */
export const OWN_SESSION = { detached: true };
