// To the reader's language.
const kept = localStorage.getItem('quincunx.language');
const wanted = kept ?? navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => tag === 'fr' || tag === 'en') ?? 'fr';
location.replace(`${wanted === 'en' ? 'en' : 'fr'}/index.html`);
