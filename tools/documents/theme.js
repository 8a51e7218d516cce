// Day or night before anything is drawn: what the reader chose here or in the pages, or what the system says.
(() => {
  let kept = null;
  try {
    kept = JSON.parse(localStorage.getItem('quincunx.settings') ?? '{}').theme ?? null;
  } catch {
    /* no storage: the system's */
  }
  const system = matchMedia('(prefers-color-scheme: dark)');
  const set = () => {
    const dark = kept === 'dark' || (kept !== 'light' && system.matches);
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  };
  set();
  system.addEventListener('change', set);
})();
