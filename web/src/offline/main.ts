import '$lib/look/theme.css';
import { mount } from 'svelte';
import { meetAt } from '$lib/venue';
import { speak } from '$lib/words/language.svelte';
import { house } from './house';
import App from './App.svelte';
import { install } from './keeping';

// from a page of the site one comes in its language
const language = new URLSearchParams(location.search).get('lang');
if (language === 'fr' || language === 'en') speak(language);
meetAt(house);
mount(App, { target: document.getElementById('app')! });
install();
