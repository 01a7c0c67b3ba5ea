/** A directory as seen from an absolute one, by POSIX rules and from the text alone. */
export function directoryFrom(base: string, directory: string): string {
  const steps: string[] = [];
  for (const step of (directory.startsWith("/") ? directory : `${base}/${directory}`).split("/")) {
    if (step === "..") steps.pop();
    else if (step !== "" && step !== ".") steps.push(step);
  }
  return `/${steps.join("/")}`;
}
