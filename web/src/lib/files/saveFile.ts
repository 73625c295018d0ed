/** Saves what was fetched or made as a file of the user's device. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name.replace(/[/\\]/g, ' ');
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000); // some browsers begin to save a moment later
}
