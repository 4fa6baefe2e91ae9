package extract

import "github.com/stemma-memory/stemma/internal/lazy"

// tools are names of software that are known without a hint.
var tools = lazy.Words(`postgresql postgres sqlite mysql mariadb mongodb cassandra redis memcached docker
	podman kubernetes terraform github gitlab bitbucket git mercurial jenkins golang python java kotlin swift
	scala ruby rails django flask laravel php perl haskell erlang elixir clojure fortran cobol rust typescript
	javascript react angular vue svelte kafka rabbitmq nats nginx apache caddy traefik grafana prometheus jira
	confluence slack notion figma linear trello asana zoom vim neovim emacs vscode intellij pycharm xcode
	eclipse webpack vite rollup jest pytest mypy ruff eslint prettier playwright cypress selenium bun deno node
	node.js npm pnpm yarn bazel cmake helm ansible puppet aws gcp azure s3 ec2 lambda bigquery snowflake
	clickhouse elasticsearch opensearch kibana logstash datadog sentry newrelic splunk pagerduty opsgenie
	terragrunt pulumi vault consul nomad istio envoy etcd linux ubuntu debian fedora windows macos android ios
	firefox chrome chromium safari edge thunderbird outlook gmail excel powerpoint sharepoint word photoshop
	illustrator lightroom indesign wordpress shopify salesforce hubspot zendesk datev spotify netflix youtube
	whatsapp telegram signal discord skype teams wikipedia airflow spark hadoop flink dbt pandas numpy pytorch
	tensorflow keras jupyter graphql protobuf openssl curl wget bash zsh fish gofmt golangci-lint staticcheck
	clippy cargo maven gradle homebrew apt systemd tmux bcrypt argon2 oauth keycloak auth0 okta wireguard
	openvpn duckdb supabase firebase heroku vercel netlify cloudflare chatgpt copilot claude gemini ollama
	huggingface langchain lodash jquery tailwind bootstrap express fastapi spring hibernate junit next.js nuxt`)

// ambiguous are tools that are words too. In small letters, or at a sentence's beginning, they name nothing.
var ambiguous = lazy.Words(`linear notion slack jest helm rust bun node react edge word teams signal spring
	spark express fish vault consul nomad envoy lambda puppet ruby swift windows excel bootstrap zoom safari
	cargo apache flask cypress eclipse rollup prettier yarn flink chrome apt gemini copilot oauth`)

// companies are organisations that are known without a hint.
var companies = lazy.Words(`google microsoft apple amazon facebook meta ibm intel nvidia amd oracle sap
	cisco dell hp samsung sony siemens bosch bayer basf bmw volkswagen vw audi porsche mercedes daimler opel
	lufthansa airbus boeing renault peugeot citroën michelin danone carrefour orange sncf edf total telekom
	vodafone o2 allianz commerzbank sparkasse dhl ikea lidl aldi rewe edeka tesco walmart toyota honda nissan
	volvo ford tesla stripe paypal visa mastercard adyen klarna revolut shell bp eon nestlé roche novartis ubs
	pfizer merck sanofi philips heineken unilever accenture deloitte kpmg ey pwc mckinsey capgemini openai
	anthropic deepmind mistral nasa esa unesco nato unicef twitter uber airbnb lyft booking.com ebay zalando
	sorbonne harvard mit stanford oxford yale`)

// knownPlaces are countries, regions and cities that are known without a hint.
var knownPlaces = lazy.Words(`germany france spain italy portugal switzerland austria belgium netherlands
	luxembourg denmark sweden norway finland iceland ireland england scotland wales britain uk usa america
	canada mexico brazil argentina chile peru colombia japan china korea india pakistan vietnam thailand
	indonesia malaysia singapore australia poland czechia slovakia hungary romania bulgaria greece turkey
	croatia serbia slovenia ukraine russia estonia latvia lithuania israel egypt morocco tunisia algeria kenya
	nigeria ghana ethiopia europe asia africa berlin hamburg munich münchen köln cologne frankfurt stuttgart
	düsseldorf dortmund essen leipzig bremen dresden hannover hanover nuremberg nürnberg duisburg bochum bonn
	münster karlsruhe mannheim augsburg wiesbaden mainz kiel freiburg heidelberg potsdam rostock kassel paris
	lyon marseille toulouse nice nantes strasbourg montpellier bordeaux lille rennes reims grenoble dijon angers
	nîmes corsica corse brittany normandy provence bavaria saxony vienna wien graz linz salzburg innsbruck
	zürich zurich geneva genève basel bern lausanne lucerne brussels antwerp ghent amsterdam rotterdam utrecht
	eindhoven london manchester birmingham liverpool leeds bristol edinburgh glasgow cardiff belfast dublin cork
	madrid barcelona valencia seville lisbon porto rome milan naples turin florence venice bologna athens
	istanbul ankara warsaw kraków krakow prague brno budapest bucharest sofia belgrade zagreb ljubljana
	copenhagen aarhus stockholm gothenburg oslo bergen helsinki tallinn riga vilnius reykjavik moscow kyiv kiev
	boston chicago seattle denver austin dallas houston miami atlanta philadelphia detroit portland phoenix
	california texas florida oregon nevada arizona colorado ohio toronto montreal montréal vancouver ottawa
	tokyo kyoto osaka seoul beijing shanghai delhi mumbai bangalore hanoi bangkok jakarta sydney melbourne
	auckland cairo casablanca nairobi lagos dubai jerusalem tuscany andalusia catalonia york washington
	francisco angeles vegas orleans alps rhine danube mallorca sicily crete`)

// firstNames are given names that are known without a hint.
var firstNames = lazy.Words(`aaron adam adele adrian agnes alain alan alice alex alexander alexandra
	alexandre alfred ali alina alison amanda amber amélie amelie amy ana andrea andreas andrew angela anita anja
	ann anna anne annette annika anthony antoine anton antonia antonio armin arnaud arthur astrid audrey axel
	barbara bastian beate beatrice ben benedikt benjamin benoît berit bernard bernd bert bettina bill birgit
	björn bob boris brian brigitte bruno camille carl carla carlos carmen carol caroline caro carsten catherine
	cécile celine céline chantal charles charlotte chloé chloe chris christa christian christiane christina
	christine christoph christophe christopher claire clara claude claudia clément clemens cornelia dagmar
	damien dan daniel daniela daria dave david deborah delphine denis dennis diana diego dieter dirk dominik
	dominique dora doris dorothea ed eddie edith eduard edward elena eleanor elias élise elisabeth elizabeth
	elke ella ellen elsa emil emile emily emma emmanuel eric erica erik erika ernst esther étienne etienne eugen
	eva evelyn fabian fabien fabrice fatima felix ferdinand fernando fiona florence florian françois françoise
	frank franz frederik frédéric friederike friedrich fritz gabriel gabriele gareth gary geoffrey georg george
	georges gerald gerd gerhard gilles gina giulia gisela grace greg greta guillaume günter günther gustav guy
	hannah hanna hannes hans harald harry heidi heike heiko heinrich heinz helen helena helene helga helmut
	hélène henri henrik henry herbert hermann hilde holger horst hubert hugo ian ida ilse ines ingo ingrid irene
	iris isabel isabelle ivan ivo jack jacob jacques jakob james jan jana jane janet jean jeanne jeff jennifer
	jens jérôme jessica jim joachim joan jochen joe joel johan johann johanna johannes john jonas jonathan jörg
	jörn jose josé josef joseph joshua juan judith jules julia julian julie julien juliette jürgen justin jutta
	karen karim karin karl karla karsten kate katharina katherine kathrin katja katrin keith kelly ken kenneth
	kerstin kevin kim klara klaus konrad konstantin kristin kurt kyle lara lars laura laure laurence laurent lea
	léa lena leo leon leonard leonie leopold lilly lily lina linda lionel lisa lorenz louis louise luc luca
	lucas lucia lucie lucy ludwig luis luisa lukas luke lutz madeleine magda magdalena maja malte manfred manon
	manuel manuela marc marcel marco marcus margaret margit margot maria mariam marianne marie marina mario
	marion mark markus marlene martha martin martina mary mathias mathieu mathilde matt matteo matthew matthias
	maurice max maxim maximilian maya mehmet melanie mia michael michaela michel michelle miguel mike mila
	milena mira miriam mohamed mohammed monika moritz nadia nadine naomi natalia natalie nathalie nathan nele
	niamh nick nico nicola nicolas nicole niklas nils nina noah noemi nora norbert odile oleg oliver olivia
	olivier omar oscar oskar otto pablo pamela pascal patrice patricia patrick paul paula pauline pedro peter
	petra philip philipp philippe pierre pia rachel raphael raphaël ralf ralph ramona raoul rebecca regina
	reinhard rémi renate rené richard rita robert roberto robin roger roland rolf roman romain ronald rosa
	rosalie rudolf ruth ryan sabine sabrina sally sam samir samuel sandra sara sarah sascha scott sean sebastian
	sébastien selma serge severin sharon silke silvia simon simone sofia sonja sophia sophie stefan stefanie
	steffen stella stéphane stéphanie stephan stephanie stephen steve steven susan susanne svenja sven sybille
	sylvain sylvia sylvie tamara tanja tara tatjana ted teresa theo théo theresa thérèse thibault thierry thomas
	thorsten tilman tim timo tina tobias tom tony torsten tracy udo ulf ulrich ulrike ursula uschi ute uwe
	valentin valentina valérie vanessa vera veronika véronique victor victoria vincent viktor virginie volker
	walter wendy werner wilhelm will william willi wolf wolfgang xavier yann yannick yasmin yusuf yves yvonne
	zoe zoé`)
