// Notifications of the desktop: when it is one's turn and nobody looks. Asked for once, when there is somebody to wait
// for; who says no is not asked again, by us or by the browser.

const there = () => typeof Notification !== 'undefined';

/** May we, if something happens? Asks the player if nobody has. To be called when they have just pressed something. */
export function mayCallOut(): void {
  if (there() && Notification.permission === 'default') void Notification.requestPermission().catch(() => {});
}

/** Only if the page is out of sight. A click brings it back. */
export function callOut(title: string, body: string, tag: string): void {
  if (!there() || Notification.permission !== 'granted' || !document.hidden) return;
  try {
    const note = new Notification(title, { body, tag });
    note.onclick = () => {
      window.focus();
      note.close();
    };
  } catch {
    // some telephones have the name and not the thing
  }
}
