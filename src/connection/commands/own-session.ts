/**
 * For `spawnSync`: Ctrl-Z stops the whole process group, and a stopped child would be waited for without end, by a process that
 * cannot stop itself meanwhile. Node's types know this option for `spawn` only; it means the same here.
 */
export const OWN_SESSION = { detached: true };
