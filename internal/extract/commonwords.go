package extract

import "github.com/stemma-memory/stemma/internal/lazy"

// common are words of every day. At a sentence's beginning they have a capital and name no one: Vacation starts.
var common = lazy.Words(`standup stand-up rent lunch breakfast dinner supper brunch yoga training practice
	rehearsal school class work sleep sport sports football tennis swimming music dance art history maths math
	physics chemistry biology geography coffee tea water milk bread sugar salt food money cash salary insurance
	electricity gas heating internet parking traffic weather rain snow post mail email e-mail documentation
	support marketing sales finance accounting legal security compliance staging production monitoring logging
	tracing caching routing search login checkout signup onboarding authentication authorization encryption
	compression replication deployment migration maintenance testing linting formatting indentation attendance
	revenue turnout tuition admission entry delivery shipping payment billing invoicing accountancy planning
	feedback advice information data code software hardware furniture luggage equipment homework retro review
	kickoff therapy surgery physiotherapy choir church karaoke pilates ability absence access accident account
	action activity actor adapter addition address administration adult advantage adventure advert affair
	afternoon age agency agenda agent agreement aid aim air airport alarm alcohol alert algorithm alias allergy
	allocation allowance alpha alternative analysis analytics anger angle animal answer anxiety apartment appeal
	appetite apple application appointment approach approval architecture archive area argument arm army array
	arrival article aspect assembly assignment assistance assistant association atmosphere attack attempt
	attention attic attitude audience audio audit aunt author authority autumn availability average avocado
	award awareness baby back backend background backlog backup bacon bag baggage bakery balance balcony ball
	ballet banana band bandwidth bank banking bar base baseball basement basis basket basketball batch bath
	bathroom battery beach bean bear beauty bed bedroom bedtime beef beer beginning behaviour behavior being
	belief bell belt bench benefit beta bike bill bin bird birth birthday bit block blog blood board boat body
	boiler bonus book booking boot border boredom boss bottle bottom boundary bowl box boxing boy brain branch
	brand breach break bridge briefing broadband brother browser buffer bug build building bundle burn bus
	business butter button buyer cabin cabinet cable cache cake calendar call camera camp camping cancer
	candidate capacity capital car carbon card cardio care career cargo carpet carrot case cat catalog category
	catering cause ceiling cell cellar centre center century ceramics cereal certificate certification chain
	chair challenge chance change channel chaos chapter character charge charity chart chat check cheese chess
	chicken child childcare childhood children chocolate choice cinema circle city claim clarity cleaning
	cleanup click client climate climbing clock cloth clothes clothing cloud club cluster coach coast coat cocoa
	codebase coding cold colleague collection college colour color column comedy comfort command comment
	commission commit committee communication community commute company comparison competition complaint
	complexity component compost computer concept concern concert concurrency condition conference confidence
	config configuration conflict connection consent consistency constraint construction consultant consulting
	consumer consumption contact container content contest context contract contribution control conversation
	conversion cook cookie cooking cool copy corn corner correctness corruption cost cotton council country
	courage course court cousin cover coverage craft crash cream creation creativity credit crew cricket crime
	criticism crowd cruise culture cup curiosity currency curry curtain custody custom customer cut cycle
	cycling dad damage dancing danger dark dashboard database date daughter day daycare daylight deadline deal
	debate debt debugging debug decision decoration default defence defense deficit definition degree delay
	deletion demand demo dentist department departure dependency deposit depth design desk dessert destination
	detail detection developer development device diabetes diesel diet difference difficulty digest direction
	director directory disability discipline discount discovery discussion disease dish disk distance
	distribution district divorce doctor document dog domain donation door doubt downtime draft drama drawing
	dream dress drink driver driving drop duck duration dust duty ear earth east economy edge edit editing
	editor education effect efficiency effort egg election electronics element elevator emergency emotion
	employee employer employment encoding end endpoint energy engine engineer engineering entertainment
	enthusiasm entrance environment error escalation essay estate evaluation evening event everyday evidence
	exam example exception excess exchange execution exercise exit expansion expense experience experiment
	expert explanation export exposure expression extension eye face facility fact factory failure faith fall
	family fan fare farm farming fashion fat father fault fear feature federation fee feeding fencing ferry
	fever fiction field figure file filter final firewall fire firm fish fishing fit fitness fix flat flight
	floor flooring flour flow flower flu focus folder folk footage footer force forecast foreground forest fork
	form format fortune forum foundation fraud freedom freight friend friendship front frontend frost fruit fuel
	fun function funding fundraising funeral future gallery gaming game gap garage garbage garden gardening
	gardener garlic gateway gear gender gift girl glass glue goal gold golf goods gossip government grade
	grammar grandma grandpa grass gratitude gravity grief ground group growth guarantee guard guest guidance
	guide guilt guitar gym gymnastics habit hair haircut half hall hand handball handling handover happiness
	harm harvest hash hat hate header headache health heart heat height hell help herb hiking hill hint hiring
	hockey holiday home honesty honey hope horse hospital host hosting hotel hour house household housekeeping
	housework housing humour humor humidity hunger hunting husband hygiene ice idea identity illness image
	imagination impact import importance improvement inbox incident income increase independence index indexing
	indigestion individual industry infection inflation influence infrastructure ingestion inheritance
	initialisation initialization ink inner innovation input inspection inspiration installation instance
	instruction integration integrity intelligence intensity intention interest interface interview introduction
	inventory investment invitation invoice iron ironing island isolation issue item jam jazz jewellery job
	jogging journalism journey joy judge judo juice jump justice karate key keyboard kid kitchen knee knife
	knitting knock knowledge label labour labor lack ladder lake lamp land landlord landscape language laptop
	latency laughter laundry law lawn lawyer lead leader leadership leak learning lease leather leave lecture
	left legacy leg legislation leisure lemon length lesson letter level liability library licence license
	licensing life lift light lighting lightning limit line linen link list listening literature litter load
	loan lobby location lock locking log logic logistics loneliness look loss lottery love loyalty luck machine
	machinery magic magnesium mailbox main majority make-up makeup man management manager mandate manufacturing
	map margin mark market marriage massage master match material mathematics matter meal meaning measure
	measurement meat mechanic media medication medicine meditation meeting member membership memory mentoring
	menu merchandise merge message metal metadata method metric middle middleware midnight might mileage mind
	mine mineral minimum minority minute mirror mission mistake mix mobile mobility mode model modelling
	modeling module moment momentum monday month mood moon morale morning mortgage mother motion motivation
	motor mountain mouse mouth move movement movie mud muesli mum mom murder muscle museum mushroom mustard name
	naming nature navigation neck need negotiation neighbour neighbor nephew nerve network networking news
	newsletter newspaper night nobody noise noon normalisation normalization north nose note notebook notice
	notification novel number nursery nutrition nutmeg oak oatmeal object objective obligation observability
	occasion ocean offer office oil onion online open opening opera operation operator opinion opportunity
	opposition option orange orchestra order ordering organisation organization origin other outage outcome
	outer output outreach outside oven overhead overtime ownership owner oxygen pace pack package packaging
	packing page pagination pain paint painting pair palace pan panel panic pants paper paperwork parcel parent
	parenting parity park parser parsing part participation partner partnership party pass passenger passport
	password past pasta path patience patient pattern pause pay payroll peace peanut pear peak pension people
	pepper perception percentage performance period permission permit persistence person personnel perspective
	pet petrol petroleum phase phone photo photography phrase physical piano picnic picture pie piece piety pill
	pilot pipeline pizza place plan plane plant plastic plate platform play player pleasure plenty plot plumber
	plumbing plus pneumonia pocket poem poetry point poison police policy politics poll polling pollution pond
	pool pork port position possession possibility postage pot potato pottery poultry poverty powder power
	prayer precision preference pregnancy preparation presence present presentation preservation press pressure
	prevention price pricing pride printer printing priority prison privacy private prize problem procedure
	process processing procurement produce product productivity profession profile profiling profit program
	programme programming progress project promotion proof property proposal prose protection protein protocol
	provision provisioning pub public publicity publishing pull pump punishment purchase purchasing purpose push
	pyjamas quality quantity quarter queue quest question queuing quiet quota rabbit race racing radio rail
	railway rainfall range rate rating ratio raw reaction reader reading reality reason recall receipt reception
	recipe recognition recommendation record recording recovery recreation recruiting recruitment recycling red
	reduction redundancy refactoring reference reflection reform refund refusal region registration registry
	regulation rehab relation relationship relaxation relevance reliability relief religion remote removal
	renewal renovation repair repayment replacement report reporting repository representation reputation
	request requirement research reservation reserve residence resilience resistance resolution resource respect
	response responsibility rest restaurant restore result retail retention retirement retries retry return
	reuse reviewer revision revenge rhythm rice riding right risk river road robot rock rocket role rollback
	rollout romance roof room root rope rotation round route router routine row rowing rubbish rugby rule run
	running rust runtime sadness safety sailing salad sale salmon sampling sanitation sand satisfaction sauce
	sauna saving scaling scanning scene schedule scheduling schema scheme scholarship science scope score
	scoring screen screening script scripting sculpture sea season seafood seat seating second secret section
	sector seed segment selection self seller sense sentence separation sequence serialisation serialization
	series server service session set setting setup sewage sewing sex shade shadow shame shampoo shape share
	sharding shard sharing shelf shelter shift ship shirt shock shoe shop shopping shoulder shower shutdown side
	sight sign signal signature silence silk silver singing sink sister site situation size skating skiing skill
	skin sky slide smoke smoking snack soap soccer society soda soil solution someone something somewhere son
	song sorting soul sound soup source south space spam speaking speech speed spelling spending spice spirit
	spring sprint stability stack staff staffing stage stairs stamp standard star start state statement station
	statistics status steak steam steel step stock stomach stone stop storage store storm story strategy stream
	streaming street strength stress stretching string structure student studio study studying stuff style
	subject submission subscription subsidy substance success suffering suggestion suit summary summer sun
	sunlight sunset sunshine supervision supplier supply surface surfing surplus surprise surveillance survey
	survival switch symmetry sync synchronisation synchronization syntax system table talent talk talking target
	task taste tax taxation teacher teaching team teamwork tech technique technology teeth telemetry television
	temperature tenant term termination terrace test text thanks theatre theater theft theory thing thinking
	thirst thought thread threat throat throughput thunder ticket ticketing tide tile time timeout timeline
	timing tip tiredness title toast tobacco today toilet token tolerance tomato tomorrow tone tongue tonight
	tool tooling tooth topic total touch tour tourism town toy track tracking trade trading tradition trail
	trailer train trainee trainer transaction transfer transit transition translation transparency transport
	transportation trash trauma travel travelling traveling treatment tree trek trend trial trip trouble
	trousers trust truth tuesday tuna turn tutoring twin type typing tyre uncertainty uncle understanding
	unemployment uniform union unit university unrest update upgrade upkeep upload uptime usage user utility
	vacation vaccination validation validity value vanilla variable variety vegetable vegetation vehicle vendor
	ventilation venue verification version versioning vibration victory video view village vinegar violence
	violin virtue visibility vision visit visitor vitamin vocabulary voice volleyball volume volunteering vote
	voting voucher wage waiting walk walking wall wallet war wardrobe warehouse warmth warning warranty washing
	waste watch watching wave wealth wear web webhook website wedding week weekend weight weightlifting welcome
	welfare welding west wheat wheel whisky width wife wifi wi-fi wild wildlife wind window windows wine wing
	winter wisdom woman wood wool word wording workflow workload workout workshop world worry worship wrestling
	writer writing yard year yesterday yield yoghurt yogurt youth zinc zone zoning zoo able absolute actual
	additional afraid alive alone amazing ancient angry annual another anyone anything apparent asleep automatic
	available awake aware bad bare basic beautiful big bitter black blank blind blue bold bored boring brave
	brief bright broken brown busy calm careful cheap clean clear clever close closed common complete complex
	concrete constant correct crazy critical current daily damaged dangerous dead dear deep different difficult
	digital dirty double dry due dull eager early easy eight either eleven empty enough entire equal essential
	exact excellent existing expensive external extra failed fair false famous fancy fast fifty fine five flaky
	formal former forty four free frequent fresh friendly full funny further general gentle global good grand
	great green grey gray happy hard healthy heavy high hot huge hundred hungry ideal idle illegal important
	impossible inactive incoming indoor initial inline internal invalid large last late latest lazy less local
	lonely long loose loud low lower lucky lunar mad major manual mature maximum medium mere mild minor missing
	modern monthly multiple mutual narrow natural necessary neither nested new next nice nightly nine noisy
	normal numerous odd offline old older one optional ordinary organic original outdoor outgoing overall pale
	parallel partial particular perfect permanent personal pink plain pleasant poor popular positive possible
	potential powerful precise previous primary prior proper proud pure purple quick rare ready real recent
	regular relative relevant reliable rich rough rude rural sad safe same scheduled separate serious seven
	several severe shallow sharp short shy sick significant silent silly similar simple single six slow small
	smart smooth social soft solid sorry sour spare special specific stale static steady steep stiff strange
	strict strong stupid subtle successful sudden sufficient suitable super sure sweet synchronous synthetic
	tall temporary ten terrible thick thin third thirty three tight tiny tired top tough true twelve twenty
	twice two typical ugly unable unique unknown unlikely unused unusual upper upstream downstream urban urgent
	useful useless usual vague valid various vast verbose vertical virtual visible vital warm weak weekly weird
	wet white whole wide wonderful wooden worse worst wrong yearly yellow young`)

// leading are verbs and small words that begin a sentence, and no name: Choose Python, Despite Anna.
var leading = lazy.Words(`above across after again against ago ahead almost along alongside already although
	altogether always amid among anyhow anywhere apart around aside away barely because before behind below
	beneath beside besides between beyond both but currently despite down during eventually ever everybody
	everyone everything everywhere except finally first following formerly fortunately forward generally given
	hardly hence here hereby how however if including indeed initially instead into likewise maybe meanwhile
	moreover mostly much namely near nearly never nevertheless none nor nothing now nowhere often off once only
	onto opposite originally otherwise out over overall per perhaps plus possibly presumably previously probably
	quickly quite rarely rather regarding regardless roughly seldom shortly similarly since slowly so someday
	sometimes somewhat soon still such suddenly than that then there therefore these they this those though
	through throughout thus together too toward towards typically under underneath unfortunately unless unlike
	until up upon usually very via well were whatever when whenever where whereas wherever whether which
	whichever while who whoever whose why with within without yet accept adjust allow apply approve ask assume
	attach avoid begin being believe bring buy calculate cancel catch change choose clean clear click clone
	close collect combine compare compile configure confirm consider contact continue convert create decide
	define delete deploy describe disable discuss do document download drink drive eat enable ensure enter
	expect explain fetch fill find finish follow forget generate get give go handle have hear ignore implement
	improve include inform initialize insert inspect install invite join keep know learn let limit listen live
	load make mention merge migrate mind mount notice notify open pay pick please prefer prepare prevent print
	promise protect provide publish put quit reach read rebase receive recommend reduce refer register reject
	release reload remember remind remove rename render renew reopen repeat replace reply reproduce reset
	resolve respond restart retain revert rewrite save say see select send serve share ship show sign skip sort
	speak specify spend split squash stay submit suggest take teach tell think throw toggle trigger try tune
	unplug upload use using validate verify wait want warn wash wipe wish write`)

// notions are abbreviations and names of times that name no one and nothing in particular.
var notions = lazy.Words(`api apis ci cd ci/cd pr prs cpu cpus gpu gpus ram ssd hdd gb mb kb tb ceo cto cfo
	coo hr qa ui ux id ids url urls uri http https tcp udp dns ssh ssl tls sql json csv tsv pdf xml html css
	yaml toml utf-8 utc gmt cet cest est pst am pm vat tv pc pcs faq eta eod asap fyi btw tbd todo fixme wip mvp
	poc kpi kpis okr okrs sla slo roi nda rfc adr sdk cli gui ide ides orm crud rest grpc rpc tdd db dbs vm vms
	vpn lan wan wifi gps usb hdmi led ltd q1 q2 q3 q4 h1 h2 ok dm dms ad ads ac dc diy ai ml llm llms ip ips os
	io rom ii iii iv cv gp mri dna rna pto eu-wide crm erp cms saas b2b b2c seo p1 p2 p3 v1 v2 v3 mon tue wed
	thu fri sat sun feb mar apr jun jul aug sep oct nov dec`)

// peoples are adjectives of countries and languages; they name no one.
var peoples = lazy.Words(`english french german spanish italian chinese japanese american european british
	dutch swiss austrian belgian polish czech russian ukrainian portuguese greek turkish swedish norwegian
	danish finnish irish scottish welsh indian korean thai vietnamese arabic hebrew latin mexican brazilian
	canadian australian african asian hungarian romanian bulgarian croatian serbian bavarian parisian catalan
	hindi mandarin cantonese persian egyptian israeli jewish muslim buddhist catholic protestant western eastern
	northern southern`)
