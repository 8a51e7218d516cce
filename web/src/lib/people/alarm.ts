// A timer that a hidden page keeps: after five minutes browsers wake such a page once a minute only, which the server
// takes for gone. They leave workers alone, and what a worker says is heard at once.

export class Alarm {
  private worker: Worker | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private ring: () => void) {
    if (typeof Worker === 'undefined') return;
    this.worker = new Worker(new URL('./alarm.worker.ts', import.meta.url), { type: 'module' });
    this.worker.onmessage = ring;
    this.worker.onerror = () => ((this.worker = null), ring());
  }

  /** In so many milliseconds, and not when it was set to before. */
  set(milliseconds: number): void {
    clearTimeout(this.timer);
    if (this.worker) this.worker.postMessage(milliseconds);
    else this.timer = setTimeout(this.ring, milliseconds);
  }

  close(): void {
    this.worker?.terminate();
    clearTimeout(this.timer);
  }
}
