// To the reader's language.
let kept = null;
try {
  kept = localStorage.getItem('quincunx.language');
} catch {
  /* no storage: the browser's */
}
const wanted = kept ?? navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => tag === 'fr' || tag === 'en') ?? 'fr';
location.replace(`${wanted === 'en' ? 'en' : 'fr'}/index.html`);
