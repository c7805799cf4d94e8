"""Family two: e-mails, support chats, complaints, job applications, texts from a bank."""

from tests.scrubbing.corpus.style import Style

_ASIDES = (
    "May I ask you to look into this?",
    "Will you let me know what happens next?",
    "I bought {product} for {money} and it broke within {n} days.",
    "Mark my words, this is the last time.",
    "Hope this helps!",
    "The manual says to hold the button for {n} seconds, which does nothing.",
    "Sales rose by {nn} percent in {month}, I read.",
    "Please bill me at the end of the month.",
    "{weekday} to {weekday} I am at work, so evenings are better.",
    "Grant me this one favour.",
    "I have been a customer for {n} years.",
    "Best price I found was {money} for {product}.",
)

EMAIL = Style(
    "email",
    (
        "From: {d.full} <{d.email}>\nTo: {r.email}\nCc: {o.full}\nDate: {date}\n"
        "Subject: {p.last} contract\n\nHi {r.first},\n\n",
        "From: {d.email}\nSent: {date} {clock}\nTo: {r.formal} <{r.email}>\n"
        "Subject: Re: meeting\n\n{r.first} -\n\n",
        "Hello {r.first} and {o.first},\n\n",
        "Dear Ms {r.last},\n\n",
        "Hey {r.nick}!\n\n",
    ),
    (
        "I spoke to {p.full} from {p.employer} {DATE?this morning} and she is on board.",
        "{o.first} can't make it on {day}, so let's move it.",
        "Could you ring {p.first} on {p.phone}?",
        "The new address is {p.line}.",
        "{p.first}'s birthday is {day} and we're collecting for a present.",
        "Loop in {o.full} ({o.email}) please.",
        "We're staying near {p.city} with my cousin {m.first} until {day}.",
        "Did you hear that {o.first} {o.last} is leaving {o.employer}?",
        "Her assistant is called {m.full}, {PHONE?extension 4417}.",
        "My profile is at {url} if you want to see the photos.",
        "I'll pick up {m.first} and {h.first} from {m.school} at {clock}.",
        "{o.last} said the server at {ip} is down again.",
        "You can log in as {d.user} with {password} for now.",
        "Tell {o.first} I said thanks.",
        "Flights are booked under {p.caps}, ref {ref}.",
        "Our coach, {o.full}, wants the {p.team} jerseys by {day}.",
        *_ASIDES,
    ),
    (
        "\n\nCheers,\n{d.first}\n",
        "\n\nBest,\n{d.full}\n{d.employer}\n{d.line}\nM: {d.phone}\n{d.email}\n",
        "\n\nRegards\n\n{d.middle}\nSenior Manager | {d.employer} | {d.phone}\n",
        "\n\nxx {d.nick}\n",
        "\n\nThanks,\n{d.initials}\n\nSent from my phone\n",
    ),
    least=3,
    most=7,
)

CHAT = Style(
    "chat",
    (
        "Agent: Hi, thanks for contacting support, my name is {d.first}. How can I help?\n",
        "[{clock}] {d.first}: hello and welcome! who am i chatting with?\n",
        "System: {d.first} has joined the chat.\n",
        "{d.user}: hi there, what seems to be the problem\n",
    ),
    (
        "Customer: Hi {d.first}, this is {p.full}.",
        "Customer: my name's {p.full}, account {account}",
        "Customer: {p.lower}",
        "Customer: yes its {p.email}",
        "Customer: the card ends... wait here is the whole thing {card}",
        "Customer: phone is {p.phone}",
        "Customer: born {p.dob}",
        "Customer: I live at {p.line}",
        "Customer: order number {ref}",
        "Customer: username {p.user} and the password was {password}",
        "Customer: my ip is {ip} i think",
        "Customer: my husband {h.first} set it up, can he call you?",
        "Customer: can you send it to my mum instead? {m.full}, {m.block}",
        "Customer: im in {p.city} at the moment",
        "Customer: i work for {p.employer}, its their laptop",
        "Customer: it says error 4021 on {product}",
        "Agent: Thank you, {p.first}. Could you confirm your date of birth?",
        "Agent: I see, Ms. {p.last}. I have opened ticket {ref} for you.",
        "Agent: Your case was handled by {o.first_l} on {date}.",
        "Agent: I will transfer you to my colleague {o.first}.",
        "Agent: Have you tried turning {product} off and on again?",
        "Agent: One moment please.",
        "Agent: Is the last four of your social {ssn}?",
        "Agent: May I place you on hold?",
        "Customer: will do",
    ),
    (
        "\nAgent: Have a great day, {p.first}!\n",
        "\nCustomer: thanks {d.first}, you rock\n",
        "\nSystem: chat with {p.user} ended.\n",
        "\nAgent: Anything else {DATE?today}, Mr. {p.last}?\nCustomer: no\n",
    ),
    between="\n",
)

COMPLAINT = Style(
    "complaint",
    (
        "{p.full}\n{p.block}\n{p.phone}\n\n{date}\n\n{r.employer}\n"
        "Customer Relations\n{r.block}\n\nDear Sir or Madam,\n\n",
        "To whom it may concern,\n\n",
        "Dear Mr. {r.last},\n\nRe: account {account}\n\n",
        "{p.line}\n{p.email}\n\nComplaint about order {ref}\n\nDear {r.employer} team,\n\n",
    ),
    (
        "On {date} I visited your branch in {r.city} and was served by a young man "
        "called {o.first}.",
        "Your employee {o.full} promised me a refund of {money}.",
        "My wife, {h.full}, can confirm what was said.",
        "I telephoned {phone} {n} times and each time was cut off.",
        "Ms {o.last} hung up on me.",
        "My customer number is {account} and the claim is {ref}.",
        "A copy of the letter from {o.employer} dated {date} is enclosed.",
        "The parcel was left with our neighbours, the {o.last} family, at {o.street}.",
        "Since {day} nobody has replied.",
        "My solicitor, {o.full} of {o.employer}, will be in touch.",
        "The driver of the van, registration {plate}, was rude.",
        "I paid with my card {card}.",
        "Kindly transfer the amount to {iban}.",
        "My late father, {m.full}, would have been ashamed of you.",
        *_ASIDES,
    ),
    (
        "\n\nYours faithfully,\n\n{p.full}\n",
        "\n\nYours sincerely\n{p.short}\n(Mrs {p.last})\n",
        "\n\nI look forward to your reply.\n\n{p.full}\n{p.email}\n",
    ),
)

APPLICATION = Style(
    "application",
    (
        "{p.full}\n{p.line} | {p.phone} | {p.email}\n\nDear {r.full},\n\n",
        "CURRICULUM VITAE\n\nName: {p.three}\nBorn: {p.dob} in {p.city}\nWeb: {url}\n\n",
        "Application for the post of {job}\n\nDear Hiring Manager,\n\n",
    ),
    (
        "My name is {p.full} and I am writing to apply for the position of {job}.",
        "I am currently employed at {p.employer} in {p.city}.",
        "From {month_year} to {month_year} I worked for {o.employer} under {o.full}.",
        "I graduated from {p.school} in {month_year}.",
        "My referee is Professor {o.last}, {o.school}, {o.email}.",
        "References: {m.full}, {m.phone}; {o.full}, {o.phone}.",
        "I captained the {p.team} for two seasons.",
        "You will find my work at {url}.",
        "I can be reached on {p.phone} after {clock}.",
        "I hold a driving licence, no. {licence}.",
        "At {o.employer} I reported to {o.first} {o.last}, who taught me a great deal.",
        "My spouse {h.first} and I plan to move to {r.city} in {month_year}.",
        "I am fluent in German and English and know Excel, Python and Java.",
        "I would bring energy, patience and a sharp eye.",
        "Summer work included stacking shelves and driving a fork lift.",
        "Strong skills in Word and PowerPoint.",
    ),
    ("\n\nSincerely,\n{p.full}\n", "\n\nKind regards\n{p.first} {p.last}\n", "\n\n{p.initials}\n"),
    least=4,
    most=8,
)

BANK = Style(
    "bank",
    (
        "{r.employer} alert: ",
        "Dear {p.full}, ",
        "Hi {p.first}, ",
        "",
    ),
    (
        "A payment of {money} to {o.full} was made from account {account} on {date}.",
        "Your card {card} was used at {o.employer} in {o.city}.",
        "Standing order to IBAN {iban} ({o.full}) changed.",
        "Please call {phone} if this was not you.",
        "Your new balance is {money}.",
        "We sent a new card to {p.line}.",
        "Transfer received from {o.caps}: {money}.",
        "Login from {ip} on {date} at {clock}.",
        "Your adviser {o.full} is available at {o.phone}.",
        "Visit {url} to update your details.",
        "Mr {p.last}, your loan {ref} is due on {day}.",
        "Joint holder: {h.full}.",
        "Never share your PIN with anyone.",
        "Fees for {product} rise by {money} in {month}.",
    ),
    (" Reply STOP to opt out.", " {r.employer}", ""),
    least=1,
    most=4,
)

STYLES = (EMAIL, CHAT, COMPLAINT, APPLICATION, BANK)
