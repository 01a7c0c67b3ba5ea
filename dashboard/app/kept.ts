/** Choices of the reader that outlive the page. A report from a file may have nowhere to keep them. */
export function kept(key: string): string | undefined {
  try {
    return localStorage.getItem(`e8-${key}`) ?? undefined;
  } catch {
    return undefined;
  }
}

export function keep(key: string, value: string): void {
  try {
    localStorage.setItem(`e8-${key}`, value);
  } catch {
    // Then the choice holds until the page is left.
  }
}
