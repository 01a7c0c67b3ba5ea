/**
 * Ctrl-Z stops the whole process group. A child of `spawnSync` that is stopped would be waited for without end, by a process that
 * cannot stop itself meanwhile; and so would one of `spawn` in the moment before it has become its program. Node's types know
 * this option for `spawn` only; it means the same for both.
 */
export const OWN_SESSION = { detached: true };
